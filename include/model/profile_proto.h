/* profile_proto.h - the numbers of pprof's format, which src/foreign/pprof.c reads and
   src/export/pprof.c writes.

   A message of Protocol Buffers is a list of fields: a key (number << 3 | type), then a number of 7
   bits a byte, or the size and the bytes of a text, of a message, or of several numbers.  The
   profile is a message Profile of https://github.com/google/pprof/blob/main/proto/profile.proto. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_PROFILE_PROTO_H
#define REGPROF_MODEL_PROFILE_PROTO_H

#define PROFILE_SPACE                                                                              \
    "space" /* what our files call bytes of which it is not known which they are */

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

/* Numbers of fields.  */
enum { TYPE_NAME = 1, TYPE_UNIT = 2 };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2, SAMPLE_LABEL = 3 };
enum { LABEL_KEY = 1, LABEL_TEXT = 2, LABEL_NUMBER = 3 };
enum {
    MAPPING_ID = 1,
    MAPPING_START = 2,
    MAPPING_LIMIT = 3,
    MAPPING_OFFSET = 4,
    MAPPING_FILE = 5,
    MAPPING_BUILD_ID = 6,
    MAPPING_HAS_FUNCTIONS = 7,
    MAPPING_HAS_FILES = 8,
    MAPPING_HAS_LINES = 9
};
enum { LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_ADDRESS = 3, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_NUMBER = 2 };
enum {
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILE = 4,
    FUNCTION_START = 5
};
enum {
    PROFILE_TYPES = 1,
    PROFILE_SAMPLES = 2,
    PROFILE_MAPPINGS = 3,
    PROFILE_LOCATIONS = 4,
    PROFILE_FUNCTIONS = 5,
    PROFILE_STRINGS = 6,
    PROFILE_DROP = 7,
    PROFILE_KEEP = 8,
    PROFILE_PERIOD_TYPE = 11,
    PROFILE_PERIOD = 12,
    PROFILE_COMMENTS = 13,
    PROFILE_DEFAULT_TYPE = 14
};

#endif
