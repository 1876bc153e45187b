namespace Cluster.Pile.Hosting;

/// <summary>The bookkeeping of a library that keeps memory in the blocks of a pile.</summary>
public interface IPileTenant
{
    /// <summary>Called once, when the pile is disposed. The tenant must not touch its memory after this, and must
    /// refuse later calls.</summary>
    void Close();
}
