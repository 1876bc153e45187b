using Microsoft.AspNetCore.Authorization;

namespace Cluster.Glue.Authorization;

/// <summary>Asks the callers of all methods of an interface for what <c>[Authorize]</c> would, which the compiler
/// allows at classes and methods only. Interfaces that inherit from it ask for the same. A method with
/// <c>[AllowAnonymous]</c> is for everybody.</summary>
[AttributeUsage(AttributeTargets.Interface, AllowMultiple = true)]
public sealed class AuthorizeContractAttribute : Attribute, IAuthorizeData
{
    /// <summary>Asks for a caller whom the default policy allows: as a rule any known user.</summary>
    public AuthorizeContractAttribute()
    {
    }

    /// <summary>Asks for a caller whom a policy allows.</summary>
    /// <param name="policy">Its name.</param>
    public AuthorizeContractAttribute(string policy) => Policy = policy;

    /// <summary>The name of the policy; null: the default one.</summary>
    public string? Policy { get; set; }

    /// <summary>Roles, with commas between, of which the caller needs one; null: none.</summary>
    public string? Roles { get; set; }

    /// <summary>Glue authenticates by the default scheme: a server does not start where this is set.</summary>
    string? IAuthorizeData.AuthenticationSchemes { get; set; }
}
