/* rights HOW: gives up rights in the named way, which only the main thread loses, and waits for a
   signal. Ends with 77 if it may not. */
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of this thread only; all calls are allowed. */
static int set_filter(void)
{
    struct sock_filter code[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const struct sock_fprog filter = {1, code};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

static int drop_capabilities(void)
{
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];

    memset(data, 0, sizeof data);
    return geteuid() != 0 || syscall(SYS_capset, &head, data);
}

/* More than one page of them. */
static int set_groups(void)
{
    gid_t groups[2000];

    for (int i = 0; i < 2000; i++)
        groups[i] = (gid_t)(1000000 + i);
    return (int)syscall(SYS_setgroups, 2000, groups);
}

static int leave_proc(void)
{
    return chroot(".");
}

int main(int count, char **words)
{
    const char *how = count > 1 ? words[1] : "";
    int result = 99;

    if (!strcmp(how, "filter"))
        result = set_filter();
    if (!strcmp(how, "capabilities"))
        result = drop_capabilities();
    if (!strcmp(how, "groups"))
        result = set_groups();
    if (!strcmp(how, "chroot"))
        result = leave_proc();
    if (result)
        return 77;
    for (;;)
        pause();
}
