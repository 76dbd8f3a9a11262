// The entry points of the runtime's native globalization part, by their names, with the newest signatures.
//
// Older runtimes know some entries with fewer parameters. The last ones are outputs or hints then, and the calling
// conventions of 64-bit systems let a function ignore arguments that it does not know.

using System;
using System.Reflection;
using System.Runtime.InteropServices;

namespace Cilantro.Culture
{
    unsafe delegate void CalendarString(char* text, IntPtr context);

    static unsafe class Native
    {
        const string Library = "libSystem.Globalization.Native";
        // Its name before .NET 5.
        const string OldLibrary = "System.Globalization.Native";
        const string Prefix = "GlobalizationNative_";

        // It is in the folder of the framework, where the class library finds it. Where it is part of the runtime
        // itself (Windows), the runtime knows the name and does not ask.
        public static void FindLibrary() => NativeLibrary.SetDllImportResolver(typeof(Native).Assembly, Resolve);

        static IntPtr Resolve(string name, Assembly assembly, DllImportSearchPath? path)
        {
            foreach (string candidate in new[] { name, OldLibrary })
                if (NativeLibrary.TryLoad(candidate, typeof(object).Assembly, null, out IntPtr library)) return library;
            return IntPtr.Zero;
        }

        public static bool IsMissing(Exception e) => e is EntryPointNotFoundException || e is DllNotFoundException;

        [DllImport(Library, EntryPoint = Prefix + "LoadICU")]
        public static extern int LoadICU();
        [DllImport(Library, EntryPoint = Prefix + "GetICUVersion")]
        public static extern int GetICUVersion();

        [DllImport(Library, EntryPoint = Prefix + "GetSortHandle")]
        public static extern int GetSortHandle([MarshalAs(UnmanagedType.LPUTF8Str)] string locale, out IntPtr handle);
        [DllImport(Library, EntryPoint = Prefix + "GetSortVersion")]
        public static extern int GetSortVersion(IntPtr handle);
        [DllImport(Library, EntryPoint = Prefix + "CompareString")]
        public static extern int CompareString(IntPtr handle, char* a, int aLength, char* b, int bLength, int options);
        [DllImport(Library, EntryPoint = Prefix + "IndexOf")]
        public static extern int IndexOf(IntPtr handle, char* target, int targetLength, char* source, int sourceLength, int options, int* matched);
        [DllImport(Library, EntryPoint = Prefix + "LastIndexOf")]
        public static extern int LastIndexOf(IntPtr handle, char* target, int targetLength, char* source, int sourceLength, int options, int* matched);
        [DllImport(Library, EntryPoint = Prefix + "StartsWith")]
        public static extern int StartsWith(IntPtr handle, char* target, int targetLength, char* source, int sourceLength, int options, int* matched);
        [DllImport(Library, EntryPoint = Prefix + "EndsWith")]
        public static extern int EndsWith(IntPtr handle, char* target, int targetLength, char* source, int sourceLength, int options, int* matched);
        [DllImport(Library, EntryPoint = Prefix + "GetSortKey")]
        public static extern int GetSortKey(IntPtr handle, char* text, int length, byte* key, int capacity, int options);
        [DllImport(Library, EntryPoint = Prefix + "CompareStringOrdinalIgnoreCase")]
        public static extern int CompareStringOrdinalIgnoreCase(char* a, int aLength, char* b, int bLength);
        [DllImport(Library, EntryPoint = Prefix + "IndexOfOrdinalIgnoreCase")]
        public static extern int IndexOfOrdinalIgnoreCase(char* target, int targetLength, char* source, int sourceLength, int findLast);

        [DllImport(Library, EntryPoint = Prefix + "ChangeCase")]
        public static extern void ChangeCase(char* source, int length, char* result, int capacity, int toUpper);
        [DllImport(Library, EntryPoint = Prefix + "ChangeCaseInvariant")]
        public static extern void ChangeCaseInvariant(char* source, int length, char* result, int capacity, int toUpper);
        [DllImport(Library, EntryPoint = Prefix + "ChangeCaseTurkish")]
        public static extern void ChangeCaseTurkish(char* source, int length, char* result, int capacity, int toUpper);
        [DllImport(Library, EntryPoint = Prefix + "InitOrdinalCasingPage")]
        public static extern void InitOrdinalCasingPage(int page, char* result);

        [DllImport(Library, EntryPoint = Prefix + "IsNormalized")]
        public static extern int IsNormalized(int form, char* source, int length);
        [DllImport(Library, EntryPoint = Prefix + "NormalizeString")]
        public static extern int NormalizeString(int form, char* source, int length, char* result, int capacity);
        [DllImport(Library, EntryPoint = Prefix + "ToAscii")]
        public static extern int ToAscii(int flags, char* source, int length, char* result, int capacity);
        [DllImport(Library, EntryPoint = Prefix + "ToUnicode")]
        public static extern int ToUnicode(int flags, char* source, int length, char* result, int capacity);

        [DllImport(Library, EntryPoint = Prefix + "GetLocales")]
        public static extern int GetLocales(char* result, int capacity);
        [DllImport(Library, EntryPoint = Prefix + "GetLocaleName")]
        public static extern int GetLocaleName(char* locale, char* result, int capacity);
        [DllImport(Library, EntryPoint = Prefix + "GetDefaultLocaleName")]
        public static extern int GetDefaultLocaleName(char* result, int capacity);
        [DllImport(Library, EntryPoint = Prefix + "IsPredefinedLocale")]
        public static extern int IsPredefinedLocale(char* locale);
        [DllImport(Library, EntryPoint = Prefix + "GetLocaleTimeFormat")]
        public static extern int GetLocaleTimeFormat(char* locale, int isShort, char* result, int capacity);
        [DllImport(Library, EntryPoint = Prefix + "GetLocaleInfoString")]
        public static extern int GetLocaleInfoString(char* locale, int data, char* result, int capacity, char* uiLocale);
        [DllImport(Library, EntryPoint = Prefix + "GetLocaleInfoInt")]
        public static extern int GetLocaleInfoInt(char* locale, int data, int* value);
        [DllImport(Library, EntryPoint = Prefix + "GetLocaleInfoGroupingSizes")]
        public static extern int GetLocaleInfoGroupingSizes(char* locale, int data, int* primary, int* secondary);

        [DllImport(Library, EntryPoint = Prefix + "GetCalendars")]
        public static extern int GetCalendars(char* locale, ushort* calendars, int capacity);
        [DllImport(Library, EntryPoint = Prefix + "GetCalendarInfo")]
        public static extern int GetCalendarInfo(char* locale, ushort calendar, int data, char* result, int capacity);
        [DllImport(Library, EntryPoint = Prefix + "EnumCalendarInfo")]
        public static extern int EnumCalendarInfo(CalendarString callback, char* locale, ushort calendar, int data, IntPtr context);
        [DllImport(Library, EntryPoint = Prefix + "GetLatestJapaneseEra")]
        public static extern int GetLatestJapaneseEra();
        [DllImport(Library, EntryPoint = Prefix + "GetJapaneseEraStartDate")]
        public static extern int GetJapaneseEraStartDate(int era, int* year, int* month, int* day);

        [DllImport(Library, EntryPoint = Prefix + "GetTimeZoneDisplayName")]
        public static extern int GetTimeZoneDisplayName(char* locale, char* zone, int type, char* result, int capacity);
        [DllImport(Library, EntryPoint = Prefix + "WindowsIdToIanaId")]
        public static extern int WindowsIdToIanaId(char* windowsId, [MarshalAs(UnmanagedType.LPUTF8Str)] string region, char* result, int capacity);
        [DllImport(Library, EntryPoint = Prefix + "IanaIdToWindowsId")]
        public static extern int IanaIdToWindowsId(char* ianaId, char* result, int capacity);
    }
}
