namespace Cluster.Glue.Authorization;

/// <summary>What an authorization handler finds as <c>AuthorizationHandlerContext.Resource</c> when a call is to be
/// allowed or refused. The arguments of the call are not read at that time. Immutable.</summary>
/// <param name="Contract">The interface that is called.</param>
/// <param name="Method">Its method; a generic one with its type arguments.</param>
public sealed record GlueAuthorizationResource(Type Contract, MethodInfo Method);
