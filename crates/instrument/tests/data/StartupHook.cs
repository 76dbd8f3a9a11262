// Runs before Main: maps a file to the address that the probes write to. Whatever ends the process, the file has what was
// recorded.
using System;
using System.Globalization;
using System.Runtime.InteropServices;

static class StartupHook
{
    const int ReadWrite = 2, ReadAndWrite = 3, SharedAtThisAddress = 0x100001;

    [DllImport("libc", SetLastError = true)]
    static extern int open([MarshalAs(UnmanagedType.LPUTF8Str)] string path, int flags);

    [DllImport("libc", SetLastError = true)]
    static extern nint mmap(nint address, nint length, int protection, int flags, int file, nint offset);

    [DllImport("libc")]
    static extern int close(int file);

    public static void Initialize()
    {
        // "address length path", the numbers in hexadecimal
        string[] block = Environment.GetEnvironmentVariable("PROBES").Split(' ', 3);
        nint address = (nint)long.Parse(block[0], NumberStyles.HexNumber), length = (nint)long.Parse(block[1], NumberStyles.HexNumber);
        int file = open(block[2], ReadWrite);
        nint mapped = mmap(address, length, ReadAndWrite, SharedAtThisAddress, file, 0);
        if (file < 0 || mapped != address) Environment.FailFast("the probes cannot be mapped: " + mapped);
        close(file);
    }
}
