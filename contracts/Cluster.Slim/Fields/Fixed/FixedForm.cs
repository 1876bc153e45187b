namespace Cluster.Slim.Fields.Fixed;

/// <summary>How the bytes of a simple value in memory relate to its bytes in a message.</summary>
internal enum FixedForm
{
    /// <summary>They are the same, and every pattern is a value: sequences are copied.</summary>
    Raw,

    /// <summary>They are the same, but not every pattern is a value: read ones are checked.</summary>
    Checked,

    /// <summary>As checked; and memory may hold patterns that stand for another, which is the one to write.</summary>
    Normalized,

    /// <summary>They are different.</summary>
    Converted,
}
