using Cluster.StateStore;

namespace Cluster.Nodes.AspNetCore.Hybrid;

/// <summary>Removes all entries of a tag by giving the tag its next generation. A tag without a generation has no entry
/// that counts, and stays without.</summary>
internal sealed class AdvanceGeneration : IStateOperation<TagGeneration, bool>
{
    /// <inheritdoc />
    public bool Apply(ref TagGeneration? tag, in OperationContext context)
    {
        if (tag is null)
            return false;
        tag.Number++;
        return true;
    }
}
