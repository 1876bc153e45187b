namespace Cluster.Pile.Hosting;

/// <summary>A library's own bookkeeping of memory that lies in the blocks of a pile.</summary>
public interface IPileTenant
{
    /// <summary>Called once, when the pile is disposed: the tenant must not touch its memory after this, and refuses
    /// calls that come later.</summary>
    void Close();
}
