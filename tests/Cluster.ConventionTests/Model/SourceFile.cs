using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Model;

/// <summary>One C# file with its place in the repository and its syntax tree, parsed on first use. Immutable.</summary>
internal sealed class SourceFile(string path, string text, ProjectFile project)
{
    private static readonly CSharpParseOptions Options = new(LanguageVersion.Preview, DocumentationMode.Parse);

    private readonly Lazy<CompilationUnitSyntax> _root = new(
        () => CSharpSyntaxTree.ParseText(text, Options, path).GetCompilationUnitRoot());

    /// <summary>The path from the repository's root, with slashes.</summary>
    public string Path => path;

    public string Text => text;

    public ProjectFile Project => project;

    public string Name => System.IO.Path.GetFileNameWithoutExtension(path);

    /// <summary>The folders between the project's folder and the file.</summary>
    public string[] Folders => path[(project.Folder.Length + 1)..].Split('/')[..^1];

    public string[] Lines => text.Split('\n');

    public CompilationUnitSyntax Root => _root.Value;

    /// <summary>All declared types, including nested ones.</summary>
    public IEnumerable<BaseTypeDeclarationSyntax> Types => Root.DescendantNodes().OfType<BaseTypeDeclarationSyntax>();

    public IEnumerable<MemberDeclarationSyntax> TopLevelTypes => Root.DescendantNodes(
            node => node is CompilationUnitSyntax or BaseNamespaceDeclarationSyntax)
        .OfType<MemberDeclarationSyntax>()
        .Where(member => member is BaseTypeDeclarationSyntax or DelegateDeclarationSyntax);

    public string? Namespace =>
        Root.DescendantNodes().OfType<BaseNamespaceDeclarationSyntax>().FirstOrDefault()?.Name.ToString();

    public static int LineOf(SyntaxNode node) => node.GetLocation().GetLineSpan().StartLinePosition.Line + 1;

    public static string NameOf(MemberDeclarationSyntax type) => type switch
    {
        BaseTypeDeclarationSyntax declared => declared.Identifier.Text,
        DelegateDeclarationSyntax declared => declared.Identifier.Text,
        _ => "",
    };

    public Violation At(SyntaxNode node, string what) => new($"{path}:{LineOf(node)}", what);
}
