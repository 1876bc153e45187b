namespace Cluster.Glue;

/// <summary>Ambient values, such as a tenant, that flow with <c>await</c>. If
/// <see cref="GlueClientOptions.FlowsContext"/> is set, they also flow to the services that are called, and to the
/// services that those call. Values that a service sets do not reach its caller.</summary>
public static class GlueContext
{
    /// <summary>The value of that name; null when there is none.</summary>
    /// <param name="name">Its name.</param>
    public static string? Find(string name) => AmbientHeaders.Current?.Context?.GetValueOrDefault(name);

    /// <summary>Sets a value until the returned scope is disposed, in the same method.</summary>
    /// <param name="name">Its name, at most 256 bytes in UTF-8.</param>
    /// <param name="value">The value; it counts against the 64 KiB of a call's headers.</param>
    public static IDisposable With(string name, string value)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(value);
        return AmbientHeaders.Begin(ambient => ambient with
        {
            Context = (ambient.Context ?? ImmutableDictionary<string, string>.Empty).SetItem(name, value),
        });
    }
}
