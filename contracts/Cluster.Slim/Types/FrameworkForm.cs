namespace Cluster.Slim.Types;

/// <summary>The form in which a framework type is carried.</summary>
internal enum FrameworkForm
{
    None,

    /// <summary>The bytes of the value in memory.</summary>
    Raw,

    /// <summary>A value of fixed size with its own form.</summary>
    Fixed,

    /// <summary>A value of any size.</summary>
    Value,

    /// <summary>A vector of the machine's width.</summary>
    MachineVector,

    /// <summary>An object without references, written whole before it exists.</summary>
    Leaf,

    /// <summary>The default comparer of a type.</summary>
    DefaultComparer,

    /// <summary>A class with its own serializer.</summary>
    Whole,

    /// <summary>A collection of single items.</summary>
    Sequence,

    /// <summary>A collection of keys and values.</summary>
    Map,

    /// <summary>An immutable collection.</summary>
    Immutable,

    /// <summary>One of a few well-known objects.</summary>
    Singleton,

    KeyedCollection,

    /// <summary>A read-only view of another collection.</summary>
    View,

    Tuple,
}
