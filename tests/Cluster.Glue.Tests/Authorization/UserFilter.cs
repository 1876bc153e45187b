using System.Security.Claims;
using Cluster.Glue.Filters;

namespace Cluster.Glue.Tests.Authorization;

/// <summary>Notes who calls.</summary>
internal sealed class UserFilter : IGlueFilter
{
    public ConcurrentQueue<string?> Names { get; } = new();

    public ValueTask InvokeAsync(GlueCallContext context, Func<GlueCallContext, ValueTask> proceed)
    {
        Names.Enqueue(context.User!.Identity!.Name);
        return proceed(context);
    }
}

/// <summary>Gives a role to the user of the call that it is shown.</summary>
internal sealed class PromotingFilter : IGlueFilter
{
    public ValueTask InvokeAsync(GlueCallContext context, Func<GlueCallContext, ValueTask> proceed)
    {
        context.User!.AddIdentity(new ClaimsIdentity([new Claim(ClaimTypes.Role, "admin")], "promoted"));
        return proceed(context);
    }
}
