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
    static const char expected[] = "\"a\\u003c/script>\\\"\\u2028\"\"a<\"null";
    struct out out;
    out_begin(&out, NULL);
    json_write_string_in_page(&out, "a</script>\"\xE2\x80\xA8");
    json_write_string(&out, "a<");
    json_write_string_in_page(&out, NULL);
    is_true(out.used == sizeof expected - 1 && memcmp(out.text, expected, out.used) == 0,
            "a string in a page has no <");
    out_end(&out);
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
    test_messages();
    return tap_done();
}
