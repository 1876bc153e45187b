namespace Cluster.Contracts;

/// <summary>Names what a contract, a method, a type whose values travel, or a field or property of it was called
/// before, so that processes of both builds understand each other. Several aliases of one member stand from the oldest
/// on.</summary>
/// <param name="oldName">
/// For methods, fields and properties the old name; for types and contracts the old full name, nested ones behind
/// <c>+</c>, and, if the assembly was another one, a comma and its simple name.
/// </param>
[AttributeUsage(
    AttributeTargets.Interface | AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Enum
        | AttributeTargets.Method | AttributeTargets.Field | AttributeTargets.Property,
    AllowMultiple = true,
    Inherited = false)]
public sealed class AliasAttribute(string oldName) : Attribute
{
    /// <summary>The old name.</summary>
    public string OldName { get; } = oldName;
}
