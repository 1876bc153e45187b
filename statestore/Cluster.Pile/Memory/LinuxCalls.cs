namespace Cluster.Pile.Memory;

/// <summary>The functions of the C library that the Linux memory source calls, with their constants.
/// Stateless.</summary>
internal static partial class LinuxCalls
{
    public const int ProtectRead = 1;
    public const int ProtectWrite = 2;
    public const int MapShared = 0x01;
    public const int MapPrivate = 0x02;
    public const int MapFixed = 0x10;
    public const int MapAnonymous = 0x20;
    public const int MapNoReserve = 0x4000;
    public const int AdviseDontNeed = 4;
    public const int AdviseHugePage = 14;
    public const int AdviseNoHugePage = 15;
    public const int LimitAddressSpace = 9;
    public const int OpenReadOnly = 0;
    public const int AllocateKeepSize = 1;
    public const int AllocatePunchHole = 2;
    public const int ErrorInterrupted = 4;
    public const int ErrorNotSupported = 95;
    public const nint MapFailed = -1;

    public static nint Map(nint address, nuint length, int protection, int flags, FilePart part) =>
        MapMemory(address, length, protection, flags, part.Descriptor, part.Offset);

    [LibraryImport("libc", EntryPoint = "madvise", SetLastError = true)]
    public static partial int Advise(nint address, nuint length, int advice);

    [LibraryImport("libc", EntryPoint = "memset")]
    public static partial nint Fill(nint address, int value, nuint bytes);

    /// <summary>Allocates disk space for a part of a file, or frees it.</summary>
    [LibraryImport("libc", EntryPoint = "fallocate", SetLastError = true)]
    public static partial int AllocateFile(int file, int mode, long offset, long length);

    [LibraryImport("libc", EntryPoint = "getrlimit", SetLastError = true)]
    public static partial int GetLimit(int resource, out ResourceLimit limit);

    /// <summary>Opens a file or folder by its path as bytes that end with zero.</summary>
    [LibraryImport("libc", EntryPoint = "open", SetLastError = true)]
    public static partial int Open(byte[] path, int flags);

    /// <summary>Reads the status of a file by its path, as bytes that end with zero; relative paths begin at the
    /// folder.</summary>
    [LibraryImport("libc", EntryPoint = "statx", SetLastError = true)]
    public static partial int Status(int folder, byte[] path, int flags, uint mask, out FileStatus status);

    /// <summary>The user id with which this process opens files.</summary>
    [LibraryImport("libc", EntryPoint = "geteuid")]
    public static partial uint EffectiveUser();

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    public static partial int Flush(int descriptor);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int descriptor);

    [LibraryImport("libc", EntryPoint = "mmap", SetLastError = true)]
    private static partial nint MapMemory(nint address, nuint length, int protection, int flags, int file, long offset);

    /// <summary>A part of a file that a mapping shows; descriptor -1 for memory without a file.</summary>
    public readonly record struct FilePart(int Descriptor, long Offset);

    /// <summary>The status of a file; the same layout on every processor.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    public struct FileStatus
    {
        [FieldOffset(20)]
        public uint User;

        [FieldOffset(28)]
        public ushort Mode;
    }

    /// <summary>A limit in the layout of the C library: the present value and the highest allowed value.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ResourceLimit
    {
        public ulong Current;
        public ulong Maximum;
    }
}
