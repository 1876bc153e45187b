namespace Cluster.Slim.Layouts;

/// <summary>One step of a layout.</summary>
/// <param name="Op">What it takes off a message.</param>
/// <param name="Count">The number it is about: bytes, repetitions, dimensions or the version of a codec.</param>
/// <param name="Types">The declared types of the places it reads.</param>
internal sealed record LayoutStep(LayoutOp Op, int Count, TypeLayout[] Types);

/// <summary>One field of a layout.</summary>
/// <param name="Name">The name of the field, for automatic properties that of the backing field.</param>
/// <param name="Level">How many base classes up it is declared.</param>
/// <param name="Type">The declared type.</param>
internal sealed record FieldLayout(string Name, int Level, TypeLayout Type);
