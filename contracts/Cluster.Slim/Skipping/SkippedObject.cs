using Cluster.Slim.Layouts;

namespace Cluster.Slim.Skipping;

/// <summary>A skipped object with its position in the message, so that it can be built later.</summary>
[StructLayout(LayoutKind.Auto)]
internal struct SkippedObject
{
    /// <summary>The layout by which it was skipped.</summary>
    public TypeLayout Layout;

    public int Handle;

    /// <summary>The depth of the object.</summary>
    public int Depth;

    /// <summary>The offset of its creation part.</summary>
    public int Start;

    /// <summary>The offset after the object in its place, and the next handle there.</summary>
    public int End;
    public int EndHandle;

    /// <summary>The offset of its body, and the next handle there; -1 as long as the body is deferred.</summary>
    public int Body;
    public int BodyHandle;

    /// <summary>Whether the body does not follow the creation part.</summary>
    public bool IsDeferred;
}
