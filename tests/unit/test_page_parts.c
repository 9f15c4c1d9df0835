/* test_page_parts.c - what the format html is made of: JSON inside of a page, and the messages of
 * a run.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/message.h"
#include "base/message_list.h"
#include "base/out.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

static void test_json(void)
{
    static const char expected[] = "\"a\\u003c/script>\\\"\\\\u2028\"null\"a<\"";
    struct out out;
    out_begin(&out, NULL);
    out.is_in_page = true;
    json_write_string(&out, "a</script>\"\xE2\x80\xA8");
    json_write_string(&out, NULL);
    out.is_in_page = false;
    json_write_string(&out, "a<");
    is_true(out.used == sizeof expected - 1 && memcmp(out.text, expected, out.used) == 0,
            "a string in a page has no <");
    out_end(&out);
}

struct sample {
    const char *text, *no_text;
    double number;
    uint64_t count;
    uint32_t id, unknown;
};

static void write_twice(struct out *out, const void *object)
{
    const struct sample *sample = object;
    json_write_count(out, (uint64_t)sample->id * 2);
}

static bool is_written(const struct sample *sample, bool is_in_page, const char *expected)
{
    static const struct json_field fields[] = {
        JSON_FIELD("text", struct sample, text),
        JSON_FIELD("none", struct sample, no_text),
        JSON_FIELD("number", struct sample, number),
        JSON_FIELD("count", struct sample, count),
        JSON_FIELD("id", struct sample, id),
        JSON_KNOWN_FIELD("known", struct sample, id),
        JSON_KNOWN_FIELD("unknown", struct sample, unknown),
        {.name = "twice", .write = write_twice},
        {.name = NULL},
    };
    struct out out;
    out_begin(&out, NULL);
    out.is_in_page = is_in_page;
    json_write_object(&out, fields, sample);
    bool is_same = out.used == strlen(expected) && memcmp(out.text, expected, out.used) == 0;
    out_end(&out);
    return is_same;
}

static void test_json_fields(void)
{
    struct sample sample = {"a<", NULL, 0.25, ((uint64_t)1 << 53) + 1, 7, 0};
    is_true(is_written(&sample, false,
                       "{\"text\":\"a<\",\"none\":null,\"number\":0.25,\"count\":9007199254740993,"
                       "\"id\":7,\"known\":7,\"unknown\":null,\"twice\":14}"),
            "a struct as an object");
    is_true(is_written(&sample, true,
                       "{\"text\":\"a\\u003c\",\"none\":null,\"number\":0.25,"
                       "\"count\":\"9007199254740993\",\"id\":7,\"known\":7,\"unknown\":null,"
                       "\"twice\":14}"),
            "in a page, a large count is text");
}

/* Standard error goes to /dev/null meanwhile.  */
static void test_messages(void)
{
    struct message_list list = {0};
    struct diagnostics diagnostics = {0};
    int null = open("/dev/null", O_WRONLY), saved = dup(STDERR_FILENO);
    dup2(null, STDERR_FILENO);
    warning(&diagnostics, "%s", "before");
    message_list_attach(&list, &diagnostics);
    warning(&diagnostics, "%d\t%s", 1, "one");
    note(&diagnostics, "%s", "two");
    diagnostics.is_quiet = true;
    note(&diagnostics, "%s", "three");
    dup2(saved, STDERR_FILENO);
    close(null);
    close(saved);
    is_true(list.count == 2 && list.messages[0].is_warning && !list.messages[1].is_warning &&
                strcmp(list.messages[0].text, "1\tone") == 0 &&
                strcmp(list.messages[1].text, "two") == 0,
            "what is printed is kept");
    message_list_free(&list);
}

int main(void)
{
    test_json();
    test_json_fields();
    test_messages();
    return tap_done();
}
