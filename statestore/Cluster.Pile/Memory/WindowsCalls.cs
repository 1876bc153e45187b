namespace Cluster.Pile.Memory;

/// <summary>The functions of the Windows kernel that the Windows memory source calls, with their constants.
/// Stateless.</summary>
internal static partial class WindowsCalls
{
    public const uint MemoryCommit = 0x1000;
    public const uint MemoryReserve = 0x2000;
    public const uint MemoryReset = 0x80000;
    public const uint ProtectReadWrite = 0x04;

    [LibraryImport("kernel32", EntryPoint = "VirtualAlloc", SetLastError = true)]
    public static partial nint Allocate(nint address, nuint length, uint kind, uint protection);

    /// <summary>Also removes pages that were never locked from the working set, and returns false then.</summary>
    [LibraryImport("kernel32", EntryPoint = "VirtualUnlock", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool Unlock(nint address, nuint length);
}
