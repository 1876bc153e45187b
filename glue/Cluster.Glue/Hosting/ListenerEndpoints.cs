using Microsoft.AspNetCore.Routing;

namespace Cluster.Glue.Hosting;

/// <summary>What a program maps on the listener of its Glue server, beside Glue. Immutable.</summary>
internal sealed record ListenerEndpoints(Action<IEndpointRouteBuilder> Map);
