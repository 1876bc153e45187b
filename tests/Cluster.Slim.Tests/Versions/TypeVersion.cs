using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Cluster.Slim.Tests.Versions;

/// <summary>One version of a user's types, compiled in memory, so that two versions can meet in one process.</summary>
internal sealed class TypeVersion(string assemblyName, string source)
{
    private static readonly MetadataReference[] References =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(static path => Path.GetFileName(path).StartsWith("System.", StringComparison.Ordinal))
            .Select(static path => MetadataReference.CreateFromFile(path)),
    ];

    private readonly Assembly _assembly = Assembly.Load(Compile(assemblyName, source));

    public Type this[string name] => _assembly.GetType(name, throwOnError: true)!;

    /// <summary>The types that objects can have.</summary>
    public IEnumerable<Type> All => _assembly.GetExportedTypes().Where(static t => !t.IsAbstract && !t.IsGenericType);

    /// <summary>A new object.</summary>
    public dynamic Make(string name, params object?[] arguments) =>
        Activator.CreateInstance(this[name], arguments)!;

    /// <summary>A new object with the fields set.</summary>
    public object New(string name, params (string Field, object? Value)[] fields)
    {
        var instance = Activator.CreateInstance(this[name])!;
        foreach ((var field, var value) in fields)
            this[name].GetField(field)!.SetValue(instance, value);
        return instance;
    }

    /// <summary>The assembly as a file would hold it.</summary>
    public static byte[] Compile(string assemblyName, string source, params byte[][] references)
    {
        using MemoryStream image = new();
        CSharpCompilationOptions options = new(OutputKind.DynamicallyLinkedLibrary);
        IEnumerable<MetadataReference> all =
            [.. References, .. references.Select(static r => MetadataReference.CreateFromImage(r))];
        Assert.Empty(CSharpCompilation
            .Create(assemblyName, [CSharpSyntaxTree.ParseText(source)], all, options)
            .Emit(image).Diagnostics.Where(static d => d.Severity == DiagnosticSeverity.Error));
        return image.ToArray();
    }

    public static object? Get(object instance, string field) =>
        instance.GetType().GetField(field)!.GetValue(instance);

    public static byte[] Write(object root)
    {
        ArrayBufferWriter<byte> output = new();
        new SlimSerializer(new SlimOptions().Allow(root.GetType())).SerializeRoots(output, root);
        return output.WrittenSpan.ToArray();
    }

    public static object? Read(SlimOptions options, byte[] message, Type root) =>
        new SlimSerializer(options).DeserializeRoots(new ReadOnlySequence<byte>(message), [root])[0];
}
