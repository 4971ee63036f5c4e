package io.hellogpt.once.connect.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.connect.Routes;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.core.Effect;
import jakarta.mail.Session;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class LineTest {
    private final Line line = new Line();

    @Test
    void aLineThatWasCutTakesNoSocket() {
        Socket socket = new Socket();

        line.cut();

        assertThatThrownBy(() -> line.over(socket)).isInstanceOf(IOException.class);
        assertThat(socket.isClosed()).isTrue();
    }

    @Test
    void cuttingClosesTheSocketThatIsInUse() throws Exception {
        Socket socket = new Socket();
        line.over(socket);

        line.cut();

        assertThat(socket.isClosed()).isTrue();
        assertThat(line.isCut()).isTrue();
    }

    @Test
    void aMailMayHaveBeenSentOnlyOnceTheWholeTextHasLeft() throws Exception {
        Letters.Sheet sheet = sheet();
        assertThat(line.mayHaveSent()).isFalse();
        line.carry(sheet);

        assertThatThrownBy(() -> sheet.writeTo(new BreaksInTheText(), new String[0]))
                .isInstanceOf(IOException.class);
        assertThat(line.mayHaveSent()).isFalse();

        sheet.writeTo(OutputStream.nullOutputStream(), new String[0]);
        assertThat(line.mayHaveSent()).isTrue();
    }

    private static Letters.Sheet sheet() throws UnsendableException {
        Route.Mail route = (Route.Mail) Routes.of(
                "class", "OPAQUE",
                "type", "mail",
                "mail.host", "localhost",
                "mail.security", "none",
                "mail.from", "once@shop.example",
                "mail.to", "desk@shop.example");
        Effect effect = Effects.of("r-1", 1, "r", 1);
        byte[] body = effect.payload().getBytes(StandardCharsets.UTF_8);
        return new Letters(route.letter(), Session.getInstance(new Properties()))
                .of(effect.id(), body, effect.issuedAt());
    }

    private static final class BreaksInTheText extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            throw new IOException("reset");
        }
    }
}
