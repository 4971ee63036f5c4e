package io.hellogpt.once.cli;

import io.hellogpt.once.ops.CommittedReader;
import io.hellogpt.once.ops.ExitCode;
import io.hellogpt.once.ops.RecordView;
import io.hellogpt.once.topology.Topics;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code once tail}. */
@Command(
        name = "tail",
        mixinStandardHelpOptions = true,
        header = "Show records of a topic as they are committed.",
        description = {
            "",
            "Always reads with isolation.level=read_committed: what a transaction has not committed never happened. Every"
                    + " consumer of these topics must do the same; it is not the default of Kafka's clients."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  once tail results",
            "  once tail failed --from beginning --max 10",
            "  once tail snapshots --from beginning --until-end --json | jq .request_id"
        })
final class TailCommand implements Callable<Integer> {
    /** What can be shown. */
    enum What {
        results(Topics.COMMITTED_RESULTS),
        failed(Topics.FAILED_REQUESTS),
        duplicates(Topics.DUPLICATE_REQUESTS),
        rejected(Topics.REJECTED_REQUESTS),
        snapshots(Topics.SNAPSHOTS),
        effects(Topics.EFFECTS),
        outcomes(Topics.EFFECT_OUTCOMES),
        lifecycle(Topics.LIFECYCLE_EVENTS),
        responses(Topics.MODEL_RESPONSES);

        private final String topic;

        What(String topic) {
            this.topic = topic;
        }
    }

    /** Where to start. */
    enum From {
        beginning,
        end
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private Connection connection;

    @Parameters(paramLabel = "WHAT", description = "One of: ${COMPLETION-CANDIDATES}.")
    private What what;

    @Option(
            names = "--from",
            defaultValue = "end",
            description =
                    "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}, only what comes from now on; with --until-end everything from the beginning.")
    private From from;

    @Option(names = "--max", paramLabel = "N", description = "End after N records.")
    private long max = Long.MAX_VALUE;

    @Option(names = "--until-end", description = "End when all that is there now has been shown.")
    private boolean untilEnd;

    @Option(names = "--json", description = "One JSON object per line, with every field.")
    private boolean json;

    private long shown;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (CommittedReader reader = new CommittedReader(connection.cluster().reader())) {
            List<TopicPartition> partitions = reader.partitions(what.topic);
            if (untilEnd) {
                reader.readAll(partitions, record -> show(record, out));
            } else {
                reader.follow(partitions, from == From.beginning, () -> shown < max, record -> show(record, out));
            }
        }
        return ExitCode.OK.code();
    }

    private void show(ConsumerRecord<byte[], byte[]> record, PrintWriter out) {
        if (shown < max) {
            shown++;
            out.println(json ? RecordView.json(record) : RecordView.line(record));
            out.flush();
        }
    }
}
