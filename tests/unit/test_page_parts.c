/* test_page_parts.c - what the format html is made of: SHA-256, JSON inside of a page, and the
 * messages of a run.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/json_write.h"
#include "base/message_list.h"
#include "base/sha256.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

static bool has_hash(const char *text, size_t size, const char *expected)
{
    unsigned char digest[SHA256_SIZE];
    char hexadecimal[2 * SHA256_SIZE + 1];
    sha256(text, size, digest);
    for (int i = 0; i < SHA256_SIZE; i++)
        snprintf(hexadecimal + 2 * i, 3, "%02x", digest[i]);
    return strcmp(hexadecimal, expected) == 0;
}

/* The examples of FIPS 180-4, and what sha256sum prints for repeated letters.  */
static void test_hashes(void)
{
    static const struct {
        size_t size;
        const char *expected;
    } repeated[] = {
        {55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
        {56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
        {64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
        {1000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"},
    };
    char letters[1000], text[SHA256_BASE64_SIZE];
    memset(letters, 'a', sizeof letters);
    is_true(has_hash("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            "hash of nothing");
    is_true(has_hash("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            "hash of three letters");
    for (size_t i = 0; i < sizeof repeated / sizeof *repeated; i++)
        is_true(has_hash(letters, repeated[i].size, repeated[i].expected), "hash of letters");
    sha256_base64("abc", 3, text);
    is_true(strcmp(text, "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=") == 0, "base64");
}

static void test_json(void)
{
    static const char expected[] = "\"a\\u003c/script>\\\"\\u2028\"null\"a<\"";
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
    test_hashes();
    test_json();
    test_json_fields();
    test_messages();
    return tap_done();
}
