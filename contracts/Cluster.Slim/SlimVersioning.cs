namespace Cluster.Slim;

/// <summary>What readers do with a type whose layout differs from that of the writer.</summary>
public enum SlimVersioning
{
    /// <summary>Fields are matched by name and declaring type. Unknown ones are skipped, missing ones keep their
    /// default, numbers are converted as long as no value changes by it; everything else is a
    /// <see cref="SlimLayoutException"/>.</summary>
    Tolerant,

    /// <summary>Any difference is a <see cref="SlimLayoutException"/> that names the first one.</summary>
    Strict,
}
