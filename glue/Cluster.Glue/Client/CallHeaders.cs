using Cluster.Glue.Faults;
using Cluster.Glue.Routes;
using Cluster.Glue.Signatures;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Client;

/// <summary>Builds the headers of a call: its instance, its trace, and the headers that the caller set. Pure.</summary>
internal static class CallHeaders
{
    private const int InstanceBytes = 32;

    /// <summary>The header that names an instance.</summary>
    public static byte[] Of(GlueInstance instance)
    {
        Span<byte> value = stackalloc byte[InstanceBytes];
        instance.Incarnation.TryWriteBytes(value);
        instance.Id.TryWriteBytes(value[16..]);
        var headers = new WireBuffer(64, int.MaxValue);
        HeaderBlock.WriteBinary(headers, HeaderBlock.Instance, value);
        return headers.WrittenSpan.ToArray();
    }

    /// <summary>The instance that a call goes to.</summary>
    public static GlueInstance InstanceIn(ReadOnlySpan<byte> headers)
    {
        var value = HeaderBlock.Find(headers, HeaderBlock.Instance);
        return value.Length == InstanceBytes ? new GlueInstance(new Guid(value[..16]), new Guid(value[16..])) : default;
    }

    /// <summary>The headers of a call that begins now; empty, without allocation, when there are none.</summary>
    /// <param name="route">The route of the call.</param>
    /// <param name="method">The method, for messages.</param>
    /// <param name="scope">The scope that wants the headers of the reply; null: none.</param>
    /// <exception cref="GlueException">They exceed the limit.</exception>
    public static ReadOnlyMemory<byte> Of(
        CallRoute route, ContractMethod method, out GlueHeaderScope? scope)
    {
        var activity = Activity.Current;
        var ambient = AmbientHeaders.Current;
        scope = ambient?.Scope;
        return activity is null && ambient is null ? route.Headers : Compose(route, method, activity, ambient);
    }

    private static byte[] Compose(
        CallRoute route, ContractMethod method, Activity? activity, AmbientHeaders? ambient)
    {
        var headers = new WireBuffer(256, int.MaxValue);
        headers.WriteBytes(route.Headers.Span);
        if (activity is { IdFormat: ActivityIdFormat.W3C, Id: { } id })
        {
            HeaderBlock.WriteText(headers, HeaderBlock.TraceParent, id);
            if (activity.TraceStateString is { Length: > 0 } state)
                HeaderBlock.WriteText(headers, HeaderBlock.TraceState, state);
        }

        ambient?.Scope?.Request.Write(headers);
        if (ambient?.Token is { } token)
            HeaderBlock.WriteText(headers, HeaderBlock.Authorization, token);
        if (route.Settings.FlowsContext && ambient?.Context is { Count: > 0 } context)
            HeaderBlock.WriteContext(headers, context);
        var bytes = headers.WrittenSpan.ToArray();
        headers.Reset();
        return bytes.Length <= GlueLimits.HeaderBytesMax
            ? bytes
            : throw GlueErrors.HeadersTooLarge(method.DisplayName, bytes.Length);
    }
}
