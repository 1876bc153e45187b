namespace Cluster.Pile.Rebuild;

/// <summary>Tells exceptions that inconsistent file content causes, although the checksums are right, from failures
/// with another cause. Stateless.</summary>
/// <remarks>The code that reads files trusts what a pile wrote. A forged file can present any number anywhere; whatever
/// exception the code then throws means damage.</remarks>
internal static class ContentFailure
{
    /// <summary>Whether only the content of the files can be the cause.</summary>
    public static bool Is(Exception e) =>
        e is not (PileException or OperationCanceledException or InsufficientMemoryException or IOException
            or UnauthorizedAccessException or PlatformNotSupportedException or ObjectDisposedException);
}
