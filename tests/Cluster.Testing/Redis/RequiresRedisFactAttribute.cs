namespace Cluster.Testing.Redis;

/// <summary>A fact that starts its own Redis server. Skipped, with the reason, if the program is missing.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class RequiresRedisFactAttribute() : RequiresFactAttribute(RedisBinary.Missing);
