using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;
using Microsoft.AspNetCore.Authorization;

namespace Cluster.Glue.Authorization;

/// <summary>What attributes and the builder demand of the callers of one method. A demand at the method comes before
/// one at the contract or the class: [AllowAnonymous] at a method opens it, and [AllowAnonymous] at the contract or
/// class does not open a method with a demand of its own. Both attributes at one place contradict each other.
/// Immutable.</summary>
/// <param name="data">All demands; empty where <paramref name="problem"/> is set.</param>
/// <param name="problem">Why nobody may call: two attributes at one place contradict each other; else null.</param>
internal sealed class AccessRule(IAuthorizeData[] data, string? problem)
{
    public IAuthorizeData[] Data => data;

    public string? Problem => problem;

    /// <summary>The demands, for messages.</summary>
    public string Text { get; } = TextOf(data);

    /// <summary>The rule of a method. Null: everybody may call it.</summary>
    public static AccessRule? Of(ServiceRegistration registration, MethodInfo method, string name)
    {
        var declared = method.IsGenericMethod ? method.GetGenericMethodDefinition() : method;
        object[] near = [.. declared.GetCustomAttributes(true), .. OwnAttributesOf(registration, declared)];
        object[] far =
        [
            .. registration.Contract.GetInterfaces().Append(registration.Contract).Append(registration.Implementation)
                .Distinct().SelectMany(static type => type.GetCustomAttributes(true)),
            .. registration.Demands,
        ];
        (var nearData, var isNearOpen) = Split(near);
        (var farData, var isFarOpen) = Split(far);
        if (isNearOpen && nearData.Length > 0)
            return Contradiction(name, "the method", nearData);
        // An attribute at the contract or class does not count for a method that has its own.
        if (isNearOpen)
            return null;
        if (isFarOpen && farData.Length > 0)
            return Contradiction(name, "its contract, its class or AddGlueServer", farData);
        IAuthorizeData[] all = [.. farData, .. nearData];
        return all.Length == 0 ? null : new AccessRule(all, null);
    }

    private static AccessRule Contradiction(string name, string place, IAuthorizeData[] data) => new(
        [],
        $"{name} is refused to everybody: at {place} both [AllowAnonymous] and {TextOf(data)} stand. Remove one.");

    private static (IAuthorizeData[] Data, bool IsOpen) Split(object[] attributes) =>
        (attributes.OfType<IAuthorizeData>().ToArray(), attributes.Any(static one => one is IAllowAnonymous));

    private static object[] OwnAttributesOf(ServiceRegistration registration, MethodInfo method) =>
        ServiceMethods.Find(registration.Implementation, method)?.GetCustomAttributes(true) ?? [];

    private static string TextOf(IAuthorizeData[] data) => LogText.Clean(string.Join(" and ", data.Select(TextOf)));

    private static string TextOf(IAuthorizeData data)
    {
        List<string> parts = [];
        if (data.Policy is { Length: > 0 } policy)
            parts.Add($"the policy '{policy}'");
        if (data.Roles is { Length: > 0 } roles)
            parts.Add($"one of the roles '{roles}'");
        return parts.Count > 0 ? string.Join(" and ", parts) : "a known user";
    }
}
