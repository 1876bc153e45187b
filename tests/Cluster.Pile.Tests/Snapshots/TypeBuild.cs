using Cluster.Slim;
using Cluster.Testing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>One build of a user's assembly <c>Shop</c>: its types, and what it does with a pile.</summary>
internal static class TypeBuild
{
    private const string AssemblyName = "Shop";

    private const string Usings = """
        global using System;
        global using System.Collections.Generic;
        global using System.Linq;
        global using Cluster.Pile;
        """;

    /// <summary>Puts an image into a folder of its own below the given one; the path of the assembly.</summary>
    public static string Write(string folder, byte[] image)
    {
        var path = Path.Join(Directory.CreateDirectory(Path.Join(folder, $"{Guid.NewGuid():N}")).FullName, "Shop.dll");
        File.WriteAllBytes(path, image);
        return path;
    }

    /// <summary>Compiles the source; the image of the assembly.</summary>
    public static byte[] Compile(string source)
    {
        var references = PlatformAssemblies.Paths
            .Where(file => Path.GetFileName(file).StartsWith("System.", StringComparison.Ordinal))
            .Append(typeof(LocalPile).Assembly.Location)
            .Append(typeof(SlimException).Assembly.Location)
            .Distinct()
            .Select(file => MetadataReference.CreateFromFile(file));
        using var image = new MemoryStream();
        var result = CSharpCompilation.Create(
            AssemblyName,
            [CSharpSyntaxTree.ParseText(Usings), CSharpSyntaxTree.ParseText(source)],
            references,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary)).Emit(image);
        Assert.True(result.Success, string.Join('\n', result.Diagnostics));
        return image.ToArray();
    }
}
