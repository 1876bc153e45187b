namespace System.Runtime.CompilerServices;

/// <summary>Known to the runtime by this name: lets an emitted assembly use the internal types of another, so that
/// contracts may be internal. Immutable.</summary>
[AttributeUsage(AttributeTargets.Assembly, AllowMultiple = true)]
internal sealed class IgnoresAccessChecksToAttribute(string assemblyName) : Attribute
{
    public string AssemblyName { get; } = assemblyName;
}
