namespace Cluster.Buffers;

/// <summary>How elements are compared, as the operators of C# do: with a NaN on either side only <see cref="NotEqual"/>
/// holds.</summary>
public enum BufferComparison
{
    /// <summary>The left one equals the right one.</summary>
    Equal = 0,

    /// <summary>The left one does not equal the right one.</summary>
    NotEqual = 1,

    /// <summary>The left one is less.</summary>
    Less = 2,

    /// <summary>The left one is less or equal.</summary>
    LessOrEqual = 3,

    /// <summary>The left one is greater.</summary>
    Greater = 4,

    /// <summary>The left one is greater or equal.</summary>
    GreaterOrEqual = 5,
}
