/* What functions of the C library do, in C: they are inlined like functions of the program. Their pointers must be
   valid, as the standard demands; a run in which they are not is undefined. */

unsigned long strlen(const char *s)
{
    unsigned long n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

unsigned long strnlen(const char *s, unsigned long most)
{
    unsigned long n = 0;
    while (n < most && s[n] != 0)
        n++;
    return n;
}

int strcmp(const char *a, const char *b)
{
    unsigned long i = 0;
    while (a[i] != 0 && a[i] == b[i])
        i++;
    return (unsigned char)a[i] - (unsigned char)b[i];
}

int strncmp(const char *a, const char *b, unsigned long n)
{
    unsigned long i = 0;
    while (i < n && a[i] != 0 && a[i] == b[i])
        i++;
    return i == n ? 0 : (unsigned char)a[i] - (unsigned char)b[i];
}

char *strcpy(char *to, const char *from)
{
    unsigned long i = 0;
    while ((to[i] = from[i]) != 0)
        i++;
    return to;
}

char *strncpy(char *to, const char *from, unsigned long n)
{
    unsigned long i = 0;
    while (i < n && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    while (i < n)
        to[i++] = 0;
    return to;
}

char *strcat(char *to, const char *from)
{
    unsigned long n = 0, i = 0;
    while (to[n] != 0)
        n++;
    while ((to[n + i] = from[i]) != 0)
        i++;
    return to;
}

char *strncat(char *to, const char *from, unsigned long most)
{
    unsigned long n = 0, i = 0;
    while (to[n] != 0)
        n++;
    while (i < most && from[i] != 0) {
        to[n + i] = from[i];
        i++;
    }
    to[n + i] = 0;
    return to;
}

char *strchr(const char *s, int c)
{
    while (*s != (char)c) {
        if (*s == 0)
            return 0;
        s++;
    }
    return (char *)s;
}

char *strrchr(const char *s, int c)
{
    const char *last = 0;
    while (*s != 0) {
        if (*s == (char)c)
            last = s;
        s++;
    }
    return (char *)((char)c == 0 ? s : last);
}

void *memchr(const void *memory, int c, unsigned long n)
{
    const unsigned char *p = memory;
    unsigned long i;
    for (i = 0; i < n; i++)
        if (p[i] == (unsigned char)c)
            return (void *)(p + i);
    return 0;
}

int memcmp(const void *first, const void *second, unsigned long n)
{
    const unsigned char *a = first, *b = second;
    unsigned long i;
    for (i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
}

void *memcpy(void *to, const void *from, unsigned long n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    unsigned long i;
    for (i = 0; i < n; i++)
        t[i] = f[i];
    return to;
}

void *memmove(void *to, const void *from, unsigned long n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    unsigned long i;
    if (same_object(to, from) && t > f) {
        for (i = n; i > 0; i--)
            t[i - 1] = f[i - 1];
    } else {
        for (i = 0; i < n; i++)
            t[i] = f[i];
    }
    return to;
}

void *memset(void *to, int c, unsigned long n)
{
    unsigned char *t = to;
    unsigned long i;
    for (i = 0; i < n; i++)
        t[i] = (unsigned char)c;
    return to;
}

int isdigit(int c) { return c >= '0' && c <= '9'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
int isalnum(int c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int isblank(int c) { return c == ' ' || c == '\t'; }
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
int isprint(int c) { return c >= 32 && c < 127; }
int isgraph(int c) { return c > 32 && c < 127; }
int ispunct(int c)
{
    return (c > 32 && c < '0') || (c > '9' && c < 'A') || (c > 'Z' && c < 'a') || (c > 'z' && c < 127);
}
int isxdigit(int c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'); }
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c; }

int atoi(const char *s)
{
    int value = 0, negative = 0;
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    if (*s == '-' || *s == '+') {
        negative = *s == '-';
        s++;
    }
    while (*s >= '0' && *s <= '9') {
        value = value * 10 + (*s - '0');
        s++;
    }
    return negative ? -value : value;
}

double fabs(double x) { return x < 0 ? -x : x == 0 ? 0 : x; }
float fabsf(float x) { return x < 0 ? -x : x == 0 ? 0 : x; }
double fmax(double x, double y) { return x != x ? y : y != y ? x : x < y ? y : x; }
double fmin(double x, double y) { return x != x ? y : y != y ? x : y < x ? y : x; }

/* Kinds of floating-point numbers. A float is converted to double without loss, but is normal in another range. */

int isnan(double x) { return x != x; }
int isinf(double x) { return x > 0x1.fffffffffffffp+1023 ? 1 : x < -0x1.fffffffffffffp+1023 ? -1 : 0; }
int finite(double x) { return x >= -0x1.fffffffffffffp+1023 && x <= 0x1.fffffffffffffp+1023; }
int __isnan(double x) { return isnan(x); }
int __isinf(double x) { return isinf(x); }
int __finite(double x) { return finite(x); }
int __builtin_isnan(double x) { return isnan(x); }
int __builtin_isinf(double x) { return isinf(x) != 0; }
int __builtin_isinf_sign(double x) { return isinf(x); }
int __builtin_isfinite(double x) { return finite(x); }
int __builtin_finite(double x) { return finite(x); }
int __builtin_isnormal(double x) { return (x >= 0x1p-1022 || x <= -0x1p-1022) && finite(x); }
int __builtin_isnormalf(float x) { return (x >= 0x1p-126f || x <= -0x1p-126f) && finite(x); }
int __builtin_isunordered(double x, double y) { return x != x || y != y; }
int __builtin_islessgreater(double x, double y) { return x < y || x > y; }
int __builtin_fpclassify(int nan, int infinite, int normal, int subnormal, int zero, double x)
{
    return x != x ? nan : x == 0 ? zero : __builtin_isnormal(x) ? normal : finite(x) ? subnormal : infinite;
}
int __builtin_fpclassifyf(int nan, int infinite, int normal, int subnormal, int zero, float x)
{
    return x != x ? nan : x == 0 ? zero : __builtin_isnormalf(x) ? normal : finite(x) ? subnormal : infinite;
}

/* The sign of what is not a number is not known. */
int sign_of_nan(double x);
int __builtin_signbit(double x)
{
    union { double number; unsigned long bits; } both;
    both.number = x;
    return x != x ? sign_of_nan(x) != 0 : (int)(both.bits >> 63);
}
int __builtin_signbitf(float x) { return __builtin_signbit(x); }
int __signbit(double x) { return __builtin_signbit(x); }
int __signbitf(float x) { return __builtin_signbit(x); }

/* Counting bits, without branches. Those of 0 are undefined where gcc says so. */

int __builtin_popcount(unsigned x)
{
    x = (x & 0x55555555u) + ((x >> 1) & 0x55555555u);
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x & 0x0f0f0f0fu) + ((x >> 4) & 0x0f0f0f0fu);
    x = (x & 0x00ff00ffu) + ((x >> 8) & 0x00ff00ffu);
    return (int)((x & 0xffffu) + (x >> 16));
}
int __builtin_popcountl(unsigned long x)
{
    return __builtin_popcount((unsigned)x) + __builtin_popcount((unsigned)(x >> 32));
}
int __builtin_popcountll(unsigned long long x) { return __builtin_popcountl(x); }

int __builtin_parity(unsigned x)
{
    x ^= x >> 16;
    x ^= x >> 8;
    x ^= x >> 4;
    x ^= x >> 2;
    return (int)((x ^ (x >> 1)) & 1u);
}
int __builtin_parityl(unsigned long x) { return __builtin_parity((unsigned)x ^ (unsigned)(x >> 32)); }
int __builtin_parityll(unsigned long long x) { return __builtin_parityl(x); }

int __builtin_clz(unsigned x)
{
    if (x == 0)
        __builtin_unreachable();
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return 32 - __builtin_popcount(x);
}
int __builtin_clzl(unsigned long x)
{
    if (x == 0)
        __builtin_unreachable();
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    x |= x >> 32;
    return 64 - __builtin_popcountl(x);
}
int __builtin_clzll(unsigned long long x) { return __builtin_clzl(x); }
int __builtin_clrsb(int x) { return __builtin_clz((unsigned)(x ^ (x >> 31)) << 1 | 1); }
int __builtin_clrsbl(long x) { return __builtin_clzl((unsigned long)(x ^ (x >> 63)) << 1 | 1); }
int __builtin_clrsbll(long long x) { return __builtin_clrsbl(x); }

int __builtin_ctz(unsigned x)
{
    if (x == 0)
        __builtin_unreachable();
    return __builtin_popcount(~x & (x - 1));
}
int __builtin_ctzl(unsigned long x)
{
    if (x == 0)
        __builtin_unreachable();
    return __builtin_popcountl(~x & (x - 1));
}
int __builtin_ctzll(unsigned long long x) { return __builtin_ctzl(x); }

int ffs(int x) { return (x != 0) * __builtin_popcount((unsigned)x ^ ((unsigned)x - 1)); }
int ffsl(long x) { return (x != 0) * __builtin_popcountl((unsigned long)x ^ ((unsigned long)x - 1)); }
int ffsll(long long x) { return ffsl(x); }

unsigned short __builtin_bswap16(unsigned short x) { return (unsigned short)((x << 8) | (x >> 8)); }
unsigned __builtin_bswap32(unsigned x)
{
    return (x << 24) | ((x & 0xff00u) << 8) | ((x >> 8) & 0xff00u) | (x >> 24);
}
unsigned long __builtin_bswap64(unsigned long x)
{
    return (unsigned long)__builtin_bswap32((unsigned)x) << 32 | __builtin_bswap32((unsigned)(x >> 32));
}
