using Cluster.Testing.Stores;

namespace Cluster.Testing.Redis;

/// <summary>Marks a class that inherits a conformance suite: its facts are skipped, with the reason, if the Redis
/// server is missing.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class RequiresRedisAttribute : RequirementAttribute
{
    /// <inheritdoc />
    public override string? Missing => RedisBinary.Missing;
}
