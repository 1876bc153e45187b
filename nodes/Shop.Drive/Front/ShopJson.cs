using System.Text.Json.Serialization;

namespace Shop.Drive.Front;

/// <summary>Serializes the figures and the summary as JSON, with code generated at build time. Stateless.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ShopSummary))]
[JsonSerializable(typeof(ShopFigures))]
internal sealed partial class ShopJson : JsonSerializerContext;
