namespace System.Runtime.CompilerServices;

/// <summary>The runtime knows this attribute by its name. It lets an emitted assembly use the internal types of another
/// assembly, so that contracts may be internal. Immutable.</summary>
[AttributeUsage(AttributeTargets.Assembly, AllowMultiple = true)]
internal sealed class IgnoresAccessChecksToAttribute(string assemblyName) : Attribute
{
    public string AssemblyName { get; } = assemblyName;
}
