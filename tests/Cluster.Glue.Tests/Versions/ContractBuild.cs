using System.Runtime.Loader;
using Cluster.Testing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Cluster.Glue.Tests.Versions;

/// <summary>One build of a user's contract assembly, compiled in memory and loaded into a context of its own, so that
/// two builds can meet in one process.</summary>
internal sealed class ContractBuild
{
    private const string Usings = """
        global using System;
        global using System.Collections.Generic;
        global using System.Linq;
        global using System.Threading;
        global using System.Threading.Tasks;
        global using Cluster.Contracts;
        """;

    private static readonly MetadataReference[] References =
    [
        .. PlatformAssemblies.Paths
            .Where(static path => Path.GetFileName(path).StartsWith("System.", StringComparison.Ordinal))
            .Append(typeof(OneWayAttribute).Assembly.Location)
            .Distinct()
            .Select(static path => MetadataReference.CreateFromFile(path)),
    ];

    private readonly Assembly _assembly;

    /// <param name="source">C# without usings.</param>
    /// <param name="assemblyName">The simple name.</param>
    public ContractBuild(string source, string assemblyName = "Shop")
    {
        using var image = new MemoryStream();
        var result = CSharpCompilation.Create(
            assemblyName,
            [CSharpSyntaxTree.ParseText(Usings), CSharpSyntaxTree.ParseText(source)],
            References,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary)).Emit(image);
        Assert.True(result.Success, string.Join('\n', result.Diagnostics));
        image.Position = 0;
        _assembly = new AssemblyLoadContext(assemblyName).LoadFromStream(image);
    }

    public Type this[string name] => _assembly.GetType(name, throwOnError: true)!;

    /// <summary>Offers a contract of this build.</summary>
    public GlueServerBuilder AddService(GlueServerBuilder glue, string contract, string implementation)
    {
        var add = typeof(GlueServerBuilder).GetMethods().Single(method => method.Name == "AddService");
        return (GlueServerBuilder)add.MakeGenericMethod(this[contract], this[implementation])
            .Invoke(glue, [GlueInstanceMode.Singleton, null, GlueAudience.Everybody])!;
    }

    /// <summary>A proxy for a contract of this build, on which members are called by name.</summary>
    public object CreateProxy(GlueClient client, string contract, string address) =>
        typeof(GlueClient).GetMethod(nameof(GlueClient.CreateProxy), [typeof(string), typeof(GlueProxyOptions)])!
            .MakeGenericMethod(this[contract]).Invoke(client, [address, null])!;

    /// <summary>Calls a static method of the build's class <c>Shop.Program</c> with a proxy.</summary>
    public async Task<string> RunAsync(string method, object proxy) =>
        await (Task<string>)this["Shop.Program"].GetMethod(method)!.Invoke(
            null, BindingFlags.DoNotWrapExceptions, null, [proxy], null)!;
}
