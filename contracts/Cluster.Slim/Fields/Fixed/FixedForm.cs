namespace Cluster.Slim.Fields.Fixed;

/// <summary>The relation between the bytes of a simple value in memory and its bytes in a message.</summary>
internal enum FixedForm
{
    /// <summary>They are the same, and every pattern is a value: sequences are copied.</summary>
    Raw,

    /// <summary>They are the same, but not every pattern is a value: values are checked after they are read.</summary>
    Checked,

    /// <summary>Like Checked; in addition, several patterns in memory may mean the same value, and only one of them is
    /// written.</summary>
    Normalized,

    /// <summary>They are different.</summary>
    Converted,
}
