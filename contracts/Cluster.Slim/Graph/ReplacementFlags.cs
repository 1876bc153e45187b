namespace Cluster.Slim.Graph;

/// <summary>What stands before the content of objects that may become others. The numbers are part of the
/// format.</summary>
[Flags]
internal enum ReplacementFlags : byte
{
    None = 0,

    /// <summary>The type of the object follows; it is not the one that was written.</summary>
    OtherType = 1,

    /// <summary>The body follows however deep the object lies: what it stands for has to be known before anything
    /// refers to it, and waiting would make that later.</summary>
    BodyNext = 2,
}
