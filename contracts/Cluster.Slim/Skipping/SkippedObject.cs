using Cluster.Slim.Layouts;

namespace Cluster.Slim.Skipping;

/// <summary>An object that was skipped: where it stands in the message, so that it can be built later.</summary>
[StructLayout(LayoutKind.Auto)]
internal struct SkippedObject
{
    /// <summary>The layout by which it was skipped.</summary>
    public TypeLayout Layout;

    /// <summary>Its handle.</summary>
    public int Handle;

    /// <summary>How deep it lies.</summary>
    public int Depth;

    /// <summary>Where its creation part begins.</summary>
    public int Start;

    /// <summary>Where what follows it in its place begins, and the next handle there.</summary>
    public int End;
    public int EndHandle;

    /// <summary>Where its body begins, and the next handle there; -1 as long as the body waits.</summary>
    public int Body;
    public int BodyHandle;

    /// <summary>Whether the body does not follow the creation part.</summary>
    public bool IsDeferred;
}
