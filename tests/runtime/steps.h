/* steps.h - runs code instruction by instruction, and compares the library's stacks with those of
   backtrace. */
#ifdef __cplusplus
extern "C" {
#endif

/* Whether the library may ask _dl_find_object. */
void steps_prepare(int has_find_object);

/* The code between these two. */
void steps_begin(void);
void steps_end(void);

/* Prints how many instructions there were; not 0 if a stack was not the same. */
int steps_report(void);

#ifdef __cplusplus
}
#endif
