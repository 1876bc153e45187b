using Cluster.StateStore;

namespace Cluster_Web;

/// <summary>A change of a value. It travels to the node that owns the key, and runs there while no other change of the
/// key runs. It returns the new number of votes.</summary>
internal sealed class AddVote : IStateOperation<Votes, int>
{
    /// <inheritdoc />
    public int Apply(ref Votes? state, in OperationContext context)
    {
        state ??= new Votes();
        return ++state.Count;
    }
}
