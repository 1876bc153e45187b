namespace Cluster.Contracts;

/// <summary>Leads to one instance of a stateful service: a value like any other, which may be kept, and passed to
/// others as an argument or result. The default value leads to the one instance of an auto-constructed service that has
/// no handle.</summary>
/// <param name="Incarnation">The process that has the instance; empty for one that is made where it is called.</param>
/// <param name="Id">Random, so that nobody finds an instance whose handle he was not given.</param>
public readonly record struct GlueInstance(Guid Incarnation, Guid Id)
{
    /// <summary>Makes a handle for a new instance of an auto-constructed service: the first call makes it.</summary>
    public static GlueInstance NewAutoConstructed() => new(Guid.Empty, Guid.NewGuid());
}
