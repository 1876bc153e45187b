namespace Cluster.Testing.Linearizability.Registers;

/// <summary>The action of an operation on a register. A register has no value at first.</summary>
public enum RegisterAction
{
    /// <summary>Returns the value, or that there is none.</summary>
    Read,

    /// <summary>Sets the value. May return whether there was one before.</summary>
    Write,

    /// <summary>Sets the value if the register has the expected value (or none, if none is expected). Returns whether
    /// it was set.</summary>
    CompareAndSwap,

    /// <summary>Removes the value. May return whether there was one.</summary>
    Delete,

    /// <summary>Adds to the value; a missing value counts as zero. May return the sum.</summary>
    Increment,

    /// <summary>Returns the value if there is one. Otherwise returns its own value, which it may or may not store: a
    /// read-through does not store its result if another change came in between.</summary>
    ReadOrWrite,
}
