using System.Text.Json.Serialization;

namespace Shop.Drive.Front;

/// <summary>The JSON forms of what this program reports, generated at build time. Stateless.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ShopSummary))]
[JsonSerializable(typeof(ShopFigures))]
internal sealed partial class ShopJson : JsonSerializerContext;
