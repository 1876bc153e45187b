namespace Cluster.Pile.Persistence;

/// <summary>Tells what a content throws that does not fit together although its checksums are right, from failures that
/// have another cause. Stateless.</summary>
/// <remarks>Files are read by code that trusts what a pile wrote. Whoever forges a file can let it meet any number
/// anywhere, and what it throws then is damage, whatever its type.</remarks>
internal static class ContentFailure
{
    /// <summary>Whether the cause can only be what stands in the files.</summary>
    public static bool Is(Exception e) =>
        e is not (PileException or OperationCanceledException or InsufficientMemoryException or IOException
            or UnauthorizedAccessException or PlatformNotSupportedException or ObjectDisposedException);
}
