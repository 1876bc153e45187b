using Cluster.Slim.Types.Policy;

namespace Cluster.Slim.Hosting;

/// <summary>Lets a host claim interfaces whose objects do not travel by value.</summary>
public static class SlimClaims
{
    /// <summary>Claims interfaces: what stands in a place of one (a root, field, element, key or value of that declared
    /// type, anywhere in a graph) is handed to the <see cref="ISlimReferences"/> of the message. An interface that was
    /// allowed by name is not claimed. Claimed ones bring no type onto the closed list. Both sides must claim
    /// alike.</summary>
    /// <param name="options">What a serializer is about to be made with. A later call takes the place of an earlier
    /// one.</param>
    /// <param name="isClaimed">Asked about interfaces only, from many threads, always with the same answer.</param>
    public static SlimOptions ClaimInterfaces(this SlimOptions options, Func<Type, bool> isClaimed)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(isClaimed);
        options.Claims = isClaimed;
        return options;
    }

    /// <summary>Whether graphs of a declared type have places of claimed interfaces, as far as declarations
    /// tell.</summary>
    /// <param name="serializer">The serializer.</param>
    /// <param name="type">A root type.</param>
    public static bool ReachesClaim(SlimSerializer serializer, Type type)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(type);
        var rules = serializer.Engine.Rules;
        return rules.HasClaims && new TypeClosure(rules).ReachesClaim(type);
    }
}
