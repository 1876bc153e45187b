namespace Cluster.Slim.Types;

/// <summary>The form in which a framework type is carried.</summary>
internal enum FrameworkForm
{
    None,

    /// <summary>The bytes of the value as they lie in memory.</summary>
    Raw,

    /// <summary>A value of fixed size with a form of its own.</summary>
    Fixed,

    /// <summary>A value of any size.</summary>
    Value,

    /// <summary>A vector of as many elements as the machine has room for.</summary>
    MachineVector,

    /// <summary>An object without references, written whole before it exists.</summary>
    Leaf,

    /// <summary>The default comparer of a type.</summary>
    DefaultComparer,

    /// <summary>A class with a serializer of its own.</summary>
    Whole,

    /// <summary>A collection of single items.</summary>
    Sequence,

    /// <summary>A collection of keys and values.</summary>
    Map,

    /// <summary>A collection that never changes.</summary>
    Immutable,

    /// <summary>One of a few well-known objects.</summary>
    Singleton,

    KeyedCollection,

    /// <summary>A read-only collection that shows another one.</summary>
    View,

    Tuple,
}
