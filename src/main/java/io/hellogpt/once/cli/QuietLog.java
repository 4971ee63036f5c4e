package io.hellogpt.once.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import java.nio.file.Path;
import java.util.logging.LogManager;
import org.slf4j.LoggerFactory;

/** Sends this process's log to a file: verbs that tell a story on the terminal want it to themselves. */
final class QuietLog {
    private QuietLog() {}

    static void to(Path file) {
        // What libraries say through java.util.logging goes nowhere: none of them tells what is not in our own log.
        LogManager.getLogManager().reset();
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSSX} %-5level [%thread] %logger{24} %msg%n");
        encoder.start();
        FileAppender<ILoggingEvent> appender = new FileAppender<>();
        appender.setContext(context);
        appender.setFile(file.toString());
        appender.setEncoder(encoder);
        appender.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        root.setLevel(Level.WARN);
        root.addAppender(appender);
    }
}
