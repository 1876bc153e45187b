namespace Cluster.Testing.Linearizability;

/// <summary>What an operation on a register does; a register is absent at first.</summary>
public enum RegisterAction
{
    /// <summary>Gives the value, or that there is none.</summary>
    Read,

    /// <summary>Sets the value; may say whether there was one before.</summary>
    Write,

    /// <summary>Sets the value where the expected one (or none) is found; says whether it was.</summary>
    CompareAndSwap,

    /// <summary>Removes the value; may say whether there was one.</summary>
    Delete,

    /// <summary>Adds to the value, an absent one counting as zero; may give the sum.</summary>
    Increment,

    /// <summary>Gives the value where there is one. Otherwise gives its own, which it may store or not: so does a
    /// read-through whose result a change in between overtook.</summary>
    ReadOrWrite,
}
