package io.hellogpt.once.connect;

import io.hellogpt.once.connect.config.EffectSinkConfig;
import io.hellogpt.once.connect.config.RouteKeys;
import io.hellogpt.once.connect.http.ResponseTable;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.types.Password;

/** Writes the reference page of the connector, in Markdown, from its settings and from the code that judges responses. */
public final class ConnectorReference {
    private static final String HEAD = """
            # The sink connector: settings and responses

            Generated from the code by `make docs`; a test compares the two. What the connector does, and how a team that uses nothing
            else of this product runs it: [connector-guide.md](connector-guide.md).

            A key below `once.` that is not on this page is refused, with the nearest one named: a misspelt key would leave a default
            in force. So is a key that means nothing for the route's type or class. Passed on with the prefix taken off is
            `once.outcomes.producer.`, to the producer of outcomes, except for what the promise rests on (`acks`,
            `enable.idempotence`, serializers, partitioner, `transactional.id`), which is refused. Passwords are never shown by the
            worker's REST interface; every value may be a config provider's reference, such as
            `${file:/etc/once/secrets.properties:token}`.

            ## Responses of HTTP receivers

            Which status stands in which row is each route's to say, with the setting named there; these are the defaults, and a
            status in several rows counts in the first. What is listed nowhere is in doubt.

            """;

    private static final String NOTES = """

            ¹ UNKNOWN when an earlier send of the same effect is in doubt: a refusal now is no proof that nothing happened then.

            RETRYABLE, in doubt: the next attempt finds out safely (KEYED: the same key and bytes; PROBEABLE: it asks first), or the
            route has asked for repetition. Retry-After is read as seconds or as a date, and is at most a day.

            A probe is answered by 2xx (SUCCEEDED) or 404 (sent again); whatever else it gets leaves the effect in doubt, nothing
            sent.

            **410 closes the route**: that effect is FAILED, and every later one is RETRYABLE at once, nothing sent and
            with a minute's Retry-After, until the task is restarted. Each task sees for itself. Both 410 and a
            reused key are logged as errors with `alert=`, and counted by `alerts-total`.

            An OPAQUE route opens a connection for each call: on one that is used again nobody could tell whether a receiver that closes
            it just then has taken the request. The other classes share connections, look at each before they use it again, and keep
            none idle for more than 4 s.

            A call is made once. With oauth2 a status of `auth.refresh.on` fetches one new token and makes it once more, under the same
            key and within the same timeout. Redirects are not followed, cookies not kept, challenges not answered, proxies not
            used.
            """;

    private ConnectorReference() {}

    public static String markdown() {
        StringBuilder page = new StringBuilder(HEAD)
                .append(ResponseTable.markdown())
                .append(NOTES)
                .append("\n## Settings of the connector\n");
        settings(page, EffectSinkConfig.definition(), "");
        page.append("\n## Settings of a route\n\nEach below `once.route.<name>.`, for every name in `once.routes`.\n");
        settings(page, RouteKeys.definition(), "once.route.<name>.");
        return page.toString();
    }

    private static void settings(StringBuilder page, ConfigDef definition, String prefix) {
        for (String group : definition.groups()) {
            page.append("\n### ").append(group).append('\n');
            inOrder(definition.configKeys().values(), group).forEach(key -> page.append(setting(key, prefix)));
        }
    }

    private static List<ConfigKey> inOrder(Collection<ConfigKey> keys, String group) {
        return keys.stream()
                .filter(key -> key.group.equals(group))
                .sorted((left, right) -> Integer.compare(left.orderInGroup, right.orderInGroup))
                .toList();
    }

    private static String setting(ConfigKey key, String prefix) {
        String valid = key.validator == null || key.validator.toString().contains("Lambda") ? "" : ", " + key.validator;
        return "\n#### `%s%s`\n\n%s%s. %s\n\n%s\n"
                .formatted(prefix, key.name, typeName(key.type), valid, standard(key), key.documentation);
    }

    private static String standard(ConfigKey key) {
        if (ConfigDef.NO_DEFAULT_VALUE.equals(key.defaultValue)) {
            return "Required.";
        }
        String shown = switch (key.defaultValue) {
            case null -> "";
            case List<?> list ->
                String.join(",", list.stream().map(Object::toString).toList());
            case Password password -> "";
            default -> key.defaultValue.toString();
        };
        return shown.isEmpty() ? "Default: not set." : "Default: `" + shown + "`.";
    }

    private static String typeName(ConfigDef.Type type) {
        return switch (type) {
            case BOOLEAN -> "true or false";
            case INT, SHORT, LONG -> "Whole number";
            case DOUBLE -> "Number";
            case LIST -> "List";
            case PASSWORD -> "Secret";
            case STRING, CLASS -> "Text";
        };
    }
}
