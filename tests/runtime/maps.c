/* maps: reads the objects with buffers that hold the longest line of the maps and little more, so
   that reads end within lines; ends with 0 if the objects are always the same.  Compiled with the
   library's objects.c and text.c. */
#include <string.h>

#include "objects.h"
#include "state.h"

#define MOST 64
#define LARGE 16384

struct regmon_state regmon_state;
_Thread_local struct regmon_thread regmon_thread;

int main(void)
{
    static struct object list[MOST], other_list[MOST];
    static char buffer[LARGE];
    struct objects objects = {.capacity = MOST, .list = list};
    struct objects other = {.capacity = MOST, .list = other_list};

    if (!objects_read(&objects, buffer, LARGE) || objects.count < 2)
        return 2;
    for (size_t bytes = 400; bytes < 900; bytes++) {
        if (!objects_read(&other, buffer, bytes) || other.count != objects.count)
            return 1;
        for (size_t i = 0; i < other.count; i++)
            if (memcmp(&list[i], &other_list[i], sizeof *list) != 0)
                return 1;
    }
    return 0;
}
